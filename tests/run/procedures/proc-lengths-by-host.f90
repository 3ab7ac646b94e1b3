! Lengths and shapes that depend on variables of the host and of a module; tables of structure constants; BLOCK and EXIT from it.
module cfg
  implicit none
  integer :: width = 3
  integer, private :: i, j, k
  type opt
    integer :: n = 1
    real :: x(2) = [0.5, 1.5]
    character(3) :: c = 'abc'
  end type
  type(opt), parameter :: table(3) = [opt(1, [1.0,2.0], 'one'), opt(n=2), opt(c='thr', x=[7.0,8.0])]
  integer, parameter :: sizes(3) = [(table(k)%n*10 + k, k = 1, 3)]
  integer, parameter :: tri(3,3) = reshape([((merge(i+j, 0, i<=j), i=1,3), j=1,3)], [3,3])
contains
  function pad(s) result(r)
    character(*), intent(in) :: s
    character(len(s)+width) :: r
    r = s//repeat('.', width)
  end function
end module
program p
  use cfg
  implicit none
  integer :: i
  print *, sizes, table(2)%x, table(3)%n, table%c
  print '(3i4)', tri
  print '(3a)', '[', pad('hi'), ']'
  width = 5
  print *, len(pad('hello'))
  call inner(4)
  block
    integer, allocatable :: w(:)
    real :: local(width)
    w = [(i*i, i=1,width)]
    local = w/2.0
    if (size(w) > 3) then
      print *, sum(local)
    end if
  end block
contains
  subroutine inner(n)
    integer, intent(in) :: n
    character(n*2) :: buf
    integer :: work(n, width)
    buf = deep(n)
    print *, buf, shape(work)
  contains2: block
      integer :: k
      do k = 1, n
        work(k, :) = k
      end do
      if (n > 2) exit contains2
      print *, 'no'
    end block contains2
    print *, sum(work)
  end subroutine
  function deep(n) result(r)
    integer, intent(in) :: n
    character(n) :: r
    integer :: k
    do k = 1, n
      r(k:k) = achar(iachar('a') + k - 1 + width)
    end do
  end function
end program
