! Within itself, the interface of an external procedure is explicit.
recursive subroutine walk(a, depth)
  integer :: a(:)
  integer, optional :: depth
  integer :: d
  d = 0
  if (present(depth)) d = depth
  print *, d, a
  if (size(a) > 1) call walk(a(size(a):1:-2), d + 1)
  if (d == 1) call again(a(2:))
contains
  subroutine again(b)
    integer :: b(:)
    call walk(b, depth=5)
  end subroutine
end subroutine
recursive function halves(n) result(r)
  integer :: n
  real :: r(n)
  r = 1
  if (n > 1) r(1:n/2) = halves(n/2) * 2
end function
program p
  interface
    recursive subroutine walk(a, depth)
      integer :: a(:)
      integer, optional :: depth
    end subroutine
    recursive function halves(n) result(r)
      integer :: n
      real :: r(n)
    end function
  end interface
  call walk([1, 2, 3, 4, 5])
  print *, halves(9)
end program
