struct State {
  REAL value;
  REAL scaled() const { return SCALED(value); }
};
