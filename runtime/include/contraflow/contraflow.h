/* The macro form of Contraflow's annotations, for C and C++.
 *
 *     CONTRAFLOW(adjoint(conductivity -> return))
 *     double misfit(const double *conductivity, int n);
 *
 * says what `#pragma contraflow adjoint(conductivity -> return)` says, and makes no compiler warn about an
 * unknown pragma. Outside the tool (which defines __CONTRAFLOW__ and reads the annotation) it is nothing at all,
 * at namespace scope and in a block alike; no semicolon follows. */
#ifndef CONTRAFLOW_CONTRAFLOW_H
#define CONTRAFLOW_CONTRAFLOW_H

#ifdef __CONTRAFLOW__
#define CONTRAFLOW_PRAGMA_(text) _Pragma(#text)
#define CONTRAFLOW(...) CONTRAFLOW_PRAGMA_(contraflow __VA_ARGS__)
#else
#define CONTRAFLOW(...)
#endif

#endif
