! Calls of the procedures of tests/abi/entries.f90.
program calls
  use entry_types
  implicit none
  interface
    real(c_double) function first(p, k) bind(c)
      import; type(pair), value :: p; integer(c_int), value :: k
    end function
    real(c_double) function second(a, k, m) bind(c)
      import; type(point), value :: a; integer(c_int), value :: k; type(mixed), value :: m
    end function
    real(c_double) function third(s, m, l, q) bind(c)
      import; real(c_double), value :: s; type(mixed), value :: m; type(long), value :: l; type(pair), value :: q
    end function
    real(c_double) function fourth(l, a, p, q) bind(c)
      import; type(long), value :: l; type(point), value :: a; type(pair), value :: p, q
    end function
    subroutine whole(t, r)
      import; type(mixed), value :: t; real(c_double), intent(out) :: r
    end subroutine
    subroutine part(u, r)
      import; type(pair), value :: u; real(c_double), intent(out) :: r
    end subroutine
  end interface
  type(pair) :: p = pair(1.0, 2.0), q = pair(3.0, 4.0)
  type(point) :: a = point(5d0, 6d0, 7d0)
  type(mixed) :: m = mixed(8, 9d0)
  type(long) :: l
  real(c_double) :: r
  integer :: k
  l = long([11_c_int64_t, 12_c_int64_t, 13_c_int64_t])
  do k = 1, 2
    print '(f0.2)', first(p, k), second(a, k, m), third(1.5d0*k, m, l, q), fourth(l, a, p, q)
    call whole(m, r)
    print '(f0.2)', r
    call part(q, r)
    print '(f0.2)', r
  end do
  print '(f0.2)', p%x, a%x, m%n*1d0, l%n(1)*1d0, q%y
end program
