subroutine assign(x, n) vh @0
r8 x
i4 n, i
l4 flag
l4 f.1, c.1, f.2, c.2
i = 3 * n - 1                                   @1
x = r8(r4(i / 2) + 0.5)                         @2
x = powi(x, 2) + pow(x, 0.5) + r8(pow(2, n))    @3
flag = n > 0 .and. x < 1.0                      @4
if n > 0                                        @5
  f.1 = call ask_(&inout n)                     @5
  c.1 = f.1                                     @5
else
  c.1 = n > 0                                   @5
end
if c.1                                          @5
  i = -i                                        @6
end
if .not. flag                                   @7
  f.2 = call ask_(&inout i)                     @7
  c.2 = .not. f.2                               @7
else
  c.2 = flag                                    @7
end
if c.2                                          @7
  x = -x                                        @8
end
return                                          @0

