/* The procedures of tests/abi/entries.f90 in C (without CALLS), or the calls of tests/abi/entries_calls.f90 (with it). */
#include <stdio.h>

typedef struct { float x, y; } pair;
typedef struct { double x, y, z; } point;
typedef struct { int n; double z; } mixed;
typedef struct { long n[3]; } whole3;

#ifdef CALLS
double first(pair, int);
double second(point, int, mixed);
double third(double, mixed, whole3, pair);
double fourth(whole3, point, pair, pair);
void whole_(mixed, double *);
void part_(pair, double *);

int main(void) {
    pair p = {1, 2}, q = {3, 4};
    point a = {5, 6, 7};
    mixed m = {8, 9};
    whole3 l = {{11, 12, 13}};
    for (int k = 1; k <= 2; k++) {
        double r;
        printf("%.2f\n%.2f\n", first(p, k), second(a, k, m));
        printf("%.2f\n%.2f\n", third(1.5 * k, m, l, q), fourth(l, a, p, q));
        whole_(m, &r);
        printf("%.2f\n", r);
        part_(q, &r);
        printf("%.2f\n", r);
    }
    printf("%.2f\n%.2f\n%.2f\n%.2f\n%.2f\n", p.x, a.x, (double)m.n, (double)l.n[0], q.y);
    return 0;
}
#else
double first(pair p, int k) { return p.x + 10 * p.y + 100 * k; }
double second(point a, int k, mixed m) { return a.x + 10 * a.y + 100 * a.z + 1000 * k + 1e4 * m.n + 1e5 * m.z; }
double third(double s, mixed m, whole3 l, pair q) {
    return s + 10 * m.n + 100 * m.z + 1000 * l.n[0] + 1e4 * l.n[2] + 1e5 * q.y;
}
double fourth(whole3 l, point a, pair p, pair q) { return l.n[1] + 10 * a.z + 100 * p.x + 1000 * q.x; }
void whole_(mixed t, double *r) { *r = t.n + 10 * t.z; }
void part_(pair u, double *r) { *r = u.x + 10 * u.y; }
#endif
