subroutine control(n, x, c, len.c) vh @0
i4 n
r4 x
char c*(len.c)
i8 len.c value
i4 i, j
r4 t
i4 case.1, t.1, t.2, t.3, t.4, t.5
i8 t.6, k.1
i4 t.7
if n == 0                                       @1
  x = 0.0                                       @2
else
  if n < 0                                      @3
    x = -1.0                                    @4
  else
    x = 1.0                                     @6
  end
end
select n                                        @7
case :0
  j = 0                                         @9
case 1, 3:5
  j = 1                                         @11
case default
  j = 2                                         @13
end
case.1 = 0                                      @14
if case.1 == 0                                  @14
  t.1 = call rt.char_compare(&in c, len.c, &in "yes", 3)  @14
  if t.1 == 0                                   @14
    case.1 = 1                                  @14
  end
end
if case.1 == 0                                  @14
  t.2 = call rt.char_compare(&in c, len.c, &in "y", 1)  @14
  if t.2 == 0                                   @14
    case.1 = 1                                  @14
  end
end
if case.1 == 0                                  @14
  t.3 = call rt.char_compare(&in c, len.c, &in "a", 1)  @14
  t.4 = call rt.char_compare(&in c, len.c, &in "f", 1)  @14
  if t.3 >= 0 .and. t.4 <= 0                    @14
    case.1 = 2                                  @14
  end
end
select case.1                                   @14
case 1
  j = 3                                         @16
case 2
  j = 4                                         @18
end
t.5 = n                                         @19
do i = t.5, 1, -1                               @19
  do while x < 10.0                             @20
    x = x * 2.0                                 @21
    if x > 5.0                                  @22
      goto L1                                   @23
    end
    if x < 0.0                                  @24
      goto L2                                   @25
    end
  end
  L1:                                           @19
end
L2:                                             @19
t = 0.0                                         @26
t.6 = max(i8((1.0_r4 - 0.0 + 0.25) / 0.25), 0)  @26
do k.1 = 1, t.6                                 @26
  x = x + t                                     @27
  t = t + 0.25                                  @26
end
L3:                                             @28
ifarith x - 1.0, L3, L4, L5                     @29
L4:                                             @30
x = 0.0                                         @30
L5:                                             @31
t.7 = j                                         @31
goto (L3, L4), t.7                              @31
return                                          @0

