/* Structures by value, as C passes and returns them; `tests/abi/structures.f90` is the other side. */
#include <complex.h>

typedef struct { int n, k; double z; } mixed;
typedef struct { float x, y, z; } three;
typedef struct { float x, y; } two;
typedef struct { double a, b; } wide;
typedef struct { double _Complex c; } complexes;
typedef struct { char c; short s; } small;
typedef struct { float x; double y; } unequal;
typedef struct { int n[3]; } numbers;
typedef struct { float x; } one;
typedef struct { two a, b; } nested;
typedef struct { char c[5]; } bytes;
typedef struct { long n; float x[2]; } tail;

double c_mixed(mixed t, int i) { return t.n + 10 * t.k + 100 * t.z + 1000 * i; }
double c_three(three t, float f) { return t.x + 10 * t.y + 100 * t.z + 1000 * f; }
double c_two(two t) { return t.x + 10 * t.y; }
double c_wide(wide t) { return t.a + 10 * t.b; }
double c_complex(complexes t) { return creal(t.c) + 10 * cimag(t.c); }
double c_small(small t) { return t.c + 10 * t.s; }
double c_unequal(unequal t) { return t.x + 10 * t.y; }
double c_numbers(numbers t) { return t.n[0] + 10 * t.n[1] + 100 * t.n[2]; }
double c_one(one t) { return t.x; }
double c_nested(nested t) { return t.a.x + 10 * t.a.y + 100 * t.b.x + 1000 * t.b.y; }
double c_bytes(bytes t) { return t.c[0] + 2 * t.c[4]; }
double c_tail(tail t) { return t.n + 10 * t.x[0] + 100 * t.x[1]; }
two r_two(float x) { two t = {x, 2 * x}; return t; }
wide r_wide(double x) { wide t = {x, 3 * x}; return t; }
complexes r_complex(double x) { complexes t = {x + I * 4 * x}; return t; }
small r_small(int x) { small t = {(char)x, (short)(5 * x)}; return t; }
one r_one(float x) { one t = {6 * x}; return t; }

/* The same by Fortran's procedures. */
double f_mixed(mixed, int);
double f_three(three, float);
double f_nested(nested);
double f_tail(tail);
two g_two(float);
complexes g_complex(double);

double back(int k) {
    mixed m = {1, 2, 3};
    three t = {1, 2, 3};
    nested n = {{1, 2}, {3, 4}};
    tail l = {7, {8, 9}};
    two p = g_two(1.5f);
    complexes c = g_complex(2.5);
    switch (k) {
    case 1: return f_mixed(m, 4);
    case 2: return f_three(t, 4);
    case 3: return f_nested(n);
    case 4: return f_tail(l);
    case 5: return p.x + 10 * p.y;
    default: return creal(c.c) + 10 * cimag(c.c);
    }
}
