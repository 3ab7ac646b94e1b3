! An interface block with IMPORT, generic functions by rank, NAMELIST, DO CONCURRENT with a mask, ASSOCIATE.
module stats
  implicit none
  integer, parameter :: dp = kind(1d0)
  interface mean
    module procedure mean1, mean2
  end interface
  interface
    subroutine ext(a, n, r)
      import :: dp
      integer, intent(in) :: n
      real(dp), intent(in) :: a(n)
      real(dp), intent(out) :: r
    end subroutine
  end interface
contains
  pure real(dp) function mean1(x)
    real(dp), intent(in) :: x(:)
    mean1 = sum(x)/size(x)
  end function
  pure function mean2(x, dim) result(m)
    real(dp), intent(in) :: x(:,:)
    integer, intent(in) :: dim
    real(dp) :: m(size(x, 3 - dim))
    m = sum(x, dim)/size(x, dim)
  end function
end module
subroutine ext(a, n, r)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: a(n)
  double precision, intent(out) :: r
  r = maxval(a) - minval(a)
end subroutine
program p
  use stats
  implicit none
  real(dp) :: a(2,3), r
  integer :: i
  namelist /in/ a, i
  a = reshape([(real(i, dp), i=1,6)], [2,3])
  print *, mean(a(1,:)), mean(a, 1), mean(a, dim=2), mean(reshape(a,[6]))
  call ext(a, 6, r)
  print *, r
  call ext(a(:,2:3), 4, r)
  print *, r
  call ext(a(1,:), 3, r)
  print *, r
  write(*, in)
  do concurrent (i = 1:3, mod(i,2) == 1)
    a(:,i) = a(:,i)*2
  end do
  print *, a
  associate (c => a(:,2), s => sum(a))
    c = s
    print *, c, s, size(c)
  end associate
end program
