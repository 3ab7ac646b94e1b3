! EQUIVALENCE in recursive procedures: each activation has its own
module recursion
  implicit none
contains
  recursive integer function factorial(n) result(f)
    integer, intent(in) :: n
    integer :: a, b, k(2), m(3)
    real :: r(2)
    double precision :: d
    character(8) :: c
    logical :: same
    equivalence (a, b), (r, k, d), (c, m(2))
    b = n
    k = n
    m = 10 * n
    m(1) = -n
    if (a <= 1) then
      f = 1
    else
      f = factorial(b - 1)
      f = f * a
    end if
    call check
    print *, n, k, m, same, transfer(r, k) == n
  contains
    subroutine check
      same = a == b .and. all(m(2:) == 10 * n) .and. transfer(c, 0) == 10 * n
      b = b + 1
      if (a /= n + 1) same = .false.
    end subroutine
  end function
  recursive subroutine saved(n)
    integer, intent(in) :: n
    integer :: i, j
    integer, save :: p
    integer :: q
    equivalence (i, j), (p, q)
    if (n == 3) p = 0
    i = n
    q = q + 1
    if (n > 0) call saved(n - 1)
    print *, j, q
  end subroutine
end module

program equivalence_recursive
  use recursion
  implicit none
  integer :: f
  f = factorial(4)
  print *, f
  call saved(3)
end program
