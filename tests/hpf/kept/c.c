/* Looks at a COMMON block, calls back, and keeps an address. */
extern struct { double a[40], b[40], s; } field_;
static double *there;

static double sum(void)
{
    double r = field_.s;
    for (int i = 0; i < 40; i++)
        r += field_.a[i] * (i + 1) - field_.b[i];
    return r;
}

void look_(double *r) { *r = sum(); }

void call_back_(void (*f)(void), double *r)
{
    field_.a[3] += 1;
    f();
    *r = sum();
    f();
    field_.b[39] += sum() / 1000;
}

void keep_address_(double *p) { there = p; }

void look_there_(double *r)
{
    *r = there[0] + there[39];
    there[20] = 5;
}
