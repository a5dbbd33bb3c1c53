// CRC-32C (Castagnoli), the checksum of iSCSI and ext4: polynomial 0x1EDC6F41, reflected. Eight bytes at a time by tables ("slicing
// by 8", M. E. Kounavis and F. L. Berry, 2008), which is faster than a disk.
#ifndef CONTRAFLOW_CRC32C_HPP
#define CONTRAFLOW_CRC32C_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace contraflow::detail {

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;
inline const CrcTables& crcTables() noexcept {
  static const CrcTables tables = [] {
    CrcTables t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t crc = i;
      for (int bit = 0; bit < 8; ++bit) crc = crc & 1u ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
      t[0][i] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k)
      for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255u];
    return t;
  }();
  return tables;
}

// Of the bytes behind others whose checksum is `before`.
inline std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0) noexcept {
  const CrcTables& t = crcTables();
  const auto* at = static_cast<const unsigned char*>(data);
  std::uint32_t crc = ~before;
  for (; bytes >= 8; bytes -= 8, at += 8) {
    const std::uint32_t low = crc ^ (std::uint32_t(at[0]) | std::uint32_t(at[1]) << 8 | std::uint32_t(at[2]) << 16 | std::uint32_t(at[3]) << 24);
    crc = t[7][low & 255u] ^ t[6][low >> 8 & 255u] ^ t[5][low >> 16 & 255u] ^ t[4][low >> 24] ^ t[3][at[4]] ^ t[2][at[5]] ^
          t[1][at[6]] ^ t[0][at[7]];
  }
  for (; bytes != 0; --bytes, ++at) crc = crc >> 8 ^ t[0][(crc ^ *at) & 255u];
  return ~crc;
}

}  // namespace contraflow::detail

#endif
