subroutine arrays(a, b, n, k) vh @0
r4 a(ub.a.1, ub.a.2), b(0:ub.b.1)
i4 n, k(3), i
r4 s
i8 ub.a.1, ub.a.2, ub.b.1
i4 i.1
i8 k.1
i4 i.2
r4 t.1(5) frame
ub.a.1 = i8(n)                                  @0
ub.a.2 = i8(n)                                  @0
ub.b.1 = i8(n - 1)                              @0
a = 1.0                                         @1
a(2:n, 1) = b(0:n - 2) * 2.0                    @2
b(k) = [r4: 1.0, s, 3.0]                        @3
s = SUM(a, none, a > 0.0) + MAXVAL(b(0:ub.b.1:2), none, none)  @4
where b > 0.0                                   @5
  b = sqrt(b)                                   @{5,6}
elsewhere
  where b < (-1.0)                              @{5,7}
    b = 0.0                                     @{5,8}
  elsewhere
    b = -b                                      @{5,10}
  end
end
forall (i.1 = 1:n) b(i.1 - 1) /= 0.0            @11
  a(i.1, i.1) = 1.0 / b(i.1 - 1)                @{11,12}
end
k.1 = 0                                         @13
do i.2 = 1, 5                                   @13
  k.1 = k.1 + 1                                 @13
  t.1(k.1) = r4(i.2) * s                        @13
end
b(0:4) = t.1                                    @13
return                                          @0

