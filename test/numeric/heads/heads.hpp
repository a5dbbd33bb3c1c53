// The functions of heads.cpp.
#pragma once

#include <vector>

struct State {
  double u[3];
  double mass;
  double offset;
  int count;
};

struct Spring {
  double stiffness;
  double rest;
  double work(double x) const;
};

extern double gScale;

double weightedSum(const double* x, const double* weights, int n);
double byValue(double a, float b, int n);
double everything(const double* x, double scale, int n);
void advance(double* u, double rate, int n);
double norm(const std::vector<double>& v);
double energy(const State& s);
double withTable(double x, const double (&table)[3], const double (&rows)[2][2]);
double withGlobal(double x);
float single(const float* x, int n);
long double longDouble(long double x);
double withWorkspace(const double* x, double* work, int n);
void byReference(double& a, double& b);
double severalOutputs(const std::vector<double>& x, std::vector<double>& y);
void collect(double x, std::vector<double>& v);
void relax(std::vector<double>& u, int steps);
double drain(std::vector<double>& v);
void rotate(std::vector<std::vector<double>>& rows, double x);
