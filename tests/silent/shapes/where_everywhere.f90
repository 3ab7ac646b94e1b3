program right
  call s(4)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(4), b(n), c(0:n-1)
    logical :: m(n), none(1:0)
    real :: z(1:0)
    a = [1., -2., 3., -4.]
    b = 2
    c = 3
    m = a > 0
    where (m)
      a = b + c
    elsewhere (b > 3)
      a = 0
    elsewhere
      where (c > 2) a = -c
    end where
    none = .true.
    where (none) z = z + 1
    print *, a
  end subroutine
end program
