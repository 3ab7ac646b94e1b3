! BLOCK: names of its own, with initial values, arrays of computed size, EXIT from it.
program p
  implicit none
  integer :: i, n
  real :: x
  n = 3
  x = 1.5
  block
    integer :: i
    real :: x(n)
    do i = 1, n
      x(i) = 2.0*i
    end do
    print *, sum(x)
  end block
  print *, x
  outer: block
    integer, parameter :: m = 4
    integer :: k
    do k = 1, 10
      if (k == m) exit outer
      print *, k
    end do
    print *, 'not here'
  end block outer
  do i = 1, 2
    block
      integer :: t
      character(len=i) :: s
      t = i*10
      s = 'ab'
      print *, t, s, len(s)
    end block
  end do
  call sub(4)
contains
  subroutine sub(n)
    integer, intent(in) :: n
    block
      integer :: a(n), j
      a = [(j, j=1,n)]
      print *, a
      block
        integer :: n
        n = 77
        print *, n
      end block
    end block
    print *, n
  end subroutine
end program
