/* A plugin for QEMU: counts the instructions that are executed, by the symbol of the executable that they are in, and prints
   them at the end on standard error. The declarations are those of its interface, version 1. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t qemu_plugin_id_t;
typedef void (*translated_t)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*ended_t)(qemu_plugin_id_t, void *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated_t);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, ended_t, void *);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int op, void *to, uint64_t n);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
int qemu_plugin_version = 1;

struct entry {
    char *name;
    uint64_t count;
    struct entry *next;
};
static struct entry *all;

static struct entry *of(const char *name) {
    for (struct entry *e = all; e; e = e->next)
        if (!strcmp(e->name, name))
            return e;
    struct entry *e = calloc(1, sizeof *e);
    if (!e || !(e->name = strdup(name)))
        abort();
    e->next = all;
    return all = e;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    const char *name = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
    /* 0: add to a number of 64 bits. */
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &of(name ? name : "?")->count, qemu_plugin_tb_n_insns(tb));
}

static void ended(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    for (struct entry *e = all; e; e = e->next)
        fprintf(stderr, "shape %" PRIu64 " %s\n", e->count, e->name);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
