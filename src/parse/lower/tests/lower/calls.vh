program calls vh @0
area v.0 size 40 align 16 local
i4 i
i4 v(10) static v.0+0
char c*5 frame
i4 t.1
i4 t.2(4) frame
char t.3*7 frame
i4 t.4
char t.5*3 frame
r8 t.6, f.1, t.7
proc inner_IN_MAIN__ name inner returns
i = 4                                           @1
t.1 = i + 1                                     @2
t.2 = v(2:8:2)                                  @2
call rt.char_assign(&out t.3[1:2], 2, &in "ab", 2)  @2
call rt.char_assign(&out t.3[3:7], 5, &in c, 5)  @2
call sub_(&inout i, &in t.1, &inout v(3), &inout t.2, &in t.3, 7_i8)  @2
v(2:8:2) = t.2                                  @2
t.4 = 7                                         @3
call name_(&out t.5, 3_i8, &in t.4)             @3
call rt.char_assign(&out c, 5, &in t.5, 3)      @3
call rt.io_begin(2, &in "FILE:11\x00")  @4
call rt.io_int(1, -9223372036854775808)         @4
call rt.io_int(5, 1)                            @4
call rt.io_start()                              @4
t.6 = 1.5                                       @4
f.1 = call twice_(&in t.6)                      @4
t.7 = f.1                                       @4
call rt.io_put(&in t.7, 6, 0)                   @4
call rt.io_put(&in c, 13, 5)                    @4
call rt.io_finish()                             @4
call inner_IN_MAIN__(&inout i, &inout v)        @5
return                                          @0

subroutine inner(i, v) vh @6 symbol inner_IN_MAIN__ internal
i4 i intent_inout
i4 v(10) intent_inout
i4 k
i4 i.1
k = i                                           @7
do i.1 = 1, k                                   @8
  i = i.1                                       @8
  v(i) = v(i) + k                               @9
end
i = i.1                                         @8
return                                          @6

