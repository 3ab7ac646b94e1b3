subroutine io(a, u) vh @0
r4 a(3, 4)
i4 u, n, ios, i
i4 t.1 frame
i4 t.2
i8 k.1, k.2
r4 t.3
call rt.io_begin(1, &in "FILE:5\x00")  @1
call rt.io_int(1, i8(u))                        @1
call rt.io_int(5, 1)                            @1
call rt.io_int(12, 1)                           @1
t.1 = ios                                       @1
call rt.io_out(9, &inout t.1, 3, 0)             @1
call rt.io_start()                              @1
call rt.io_get(&inout n, 3, 0)                  @1
do i = 1, n                                     @1
  call rt.io_get(&inout a(i, 2), 5, 0)          @1
end
t.2 = call rt.io_finish()                       @1
ios = t.1                                       @1
if t.2 == 2                                     @1
  goto L1                                       @1
end
call rt.io_begin(2, &in "FILE:6\x00")  @2
call rt.io_int(1, i8(u))                        @2
call rt.io_str(4, &in "(i5, f8.2)", 10)         @2
call rt.io_start()                              @2
call rt.io_put(&in n, 3, 0)                     @2
call rt.io_put_array(&in a(1, 1), 5, 0, 3, 4)   @2
call rt.io_put_array(&in a(2, 1), 5, 0, 2, 24)  @2
do k.1 = 1, 4                                   @2
  do k.2 = 1, 3                                 @2
    t.3 = a(k.2, k.1) + 1.0                     @2
    call rt.io_put(&in t.3, 5, 0)               @2
  end
end
call rt.io_finish()                             @2
L1:                                             @3
return                                          @0

