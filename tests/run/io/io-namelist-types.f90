! NAMELIST with objects of derived type: written component by component, read by whole object, by element, by component,
! by section and by substring; values on from one element to the next.
module shapes
  implicit none
  type point
    integer :: x = 0, y = 0
    character(len=4) :: tag = '?'
  end type
  type shape
    real :: width
    type(point) :: corner(2)
    logical :: filled = .false.
  end type
end module

program namelist_types
  use shapes, only: point, shape
  implicit none
  type(point) :: p, q(3), deep(2, 0:1)
  type(shape) :: s(2)
  integer :: i, k(3) = 7
  character(len=5) :: word = 'abcde'
  character(len=80) :: one, lines(40)
  character(len=400) :: long
  namelist /group/ p, q, s, k, word
  namelist /small/ p, k
  namelist /two/ deep

  s%width = 0.5
  lines = ' '
  lines(1) = 'text before &other x = 1 / and &group'
  lines(2) = ' p = 1, -2, "tag1"            ! the whole object'
  lines(3) = ' q(2) = 5 6 ''b''''c''   q%x = 10, 20, 30'
  lines(4) = ' q(1:3:2)%tag = "one" "thr"'
  lines(5) = ' s(1)%corner(2)%x = 77  s(2)%corner%y = 8, 9'
  lines(6) = ' s(2)%filled'
  lines(7) = '   = T   s(:)%width = 1.25 1.5'
  lines(8) = ' s(1)%corner = 3 4 "c1" 5 6 "c2"'
  lines(9) = ' k(2) = 4, 5!comment'
  lines(10) = ' word(2:3) = ''XYZ'' /'
  read (lines, nml=group)
  write (*, nml=group)

  do i = 1, 2
    deep(i, :)%x = i
  end do
  deep(2, 1)%tag = 'last'
  write (*, two)

  one = ' &small p%x = 5, p%y = 6 k = 1 2 3 &end'
  read (one, small)
  write (long, small)
  print '(a)', trim(long)
  p = point()
  k = 0
  read (long, small)
  print *, p%x, p%y, p%tag, k
end program
