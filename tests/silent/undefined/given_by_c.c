extern int __m_MOD_n;
extern struct { int a, b[3]; } shared_;
static int *later;
void set_later(int *at) { later = at; }
void set_all(void) {
    __m_MOD_n = 0;
    shared_.a = shared_.b[2] = 0;
    *later = 1;
}
