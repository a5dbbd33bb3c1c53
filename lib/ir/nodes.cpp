#include "ir/stmt.hpp"

namespace contraflow::ir {

ExprNode::ExprNode(const ExprNode&) = default;
ExprNode::ExprNode(ExprNode&&) noexcept = default;
ExprNode& ExprNode::operator=(const ExprNode&) = default;
ExprNode& ExprNode::operator=(ExprNode&&) noexcept = default;
ExprNode::~ExprNode() = default;

StmtNode::StmtNode(const StmtNode&) = default;
StmtNode::StmtNode(StmtNode&&) noexcept = default;
StmtNode& StmtNode::operator=(const StmtNode&) = default;
StmtNode& StmtNode::operator=(StmtNode&&) noexcept = default;
StmtNode::~StmtNode() = default;

}  // namespace contraflow::ir
