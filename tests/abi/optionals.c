/* The procedures of tests/abi/optionals.f90 in C (without CALLS), or the calls of tests/abi/optionals_calls.f90 (with it). */
#include <complex.h>
#include <stdio.h>

typedef double complex number;
typedef float complex small;

#ifdef CALLS
double weighed(double, double, double, double, double, double, double, number, double, double *);
double light(float, float, float, float, float, float, float, small, small, double *);
double ordered(double *, long, long, long, long, long, long, number);

int main(void) {
    double v = 0.5;
    double *given[2] = {0, &v};
    for (int k = 0; k < 2; k++) printf("%.2f\n", weighed(1, 2, 3, 4, 5, 6, 7, 8 + 9 * I, 10, given[k]));
    for (int k = 0; k < 2; k++) printf("%.2f\n", light(1, 2, 3, 4, 5, 6, 7, 8 + 9 * I, 10 + 11 * I, given[k]));
    for (int k = 0; k < 2; k++) printf("%.2f\n", ordered(given[k], 1, 2, 3, 4, 5, 6, 7 + 8 * I));
    return 0;
}
#else
double weighed(double a, double b, double c, double d, double e, double f, double g, number z, double h, double *v) {
    double r = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 100 * creal(z) + 1000 * cimag(z) + 10000 * h;
    return v ? r + *v : r;
}
double light(float a, float b, float c, float d, float e, float f, float g, small z, small y, double *v) {
    double r = a + b + c + d + e + f + g + 10 * crealf(z) + 100 * cimagf(z) + 1000 * crealf(y) + 10000 * cimagf(y);
    return v ? r + *v : r;
}
double ordered(double *v, long i, long j, long k, long l, long m, long n, number z) {
    double r = i + 2 * j + 3 * k + 4 * l + 5 * m + 6 * n + 10 * creal(z) + 100 * cimag(z);
    return v ? -r : r;
}
#endif
