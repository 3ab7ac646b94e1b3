! Variables of COMMON and modules that get their values by other names, in other procedures, and from the start.
block data
  integer :: given, free
  real :: table(4)
  common /c/ given, free, table
  data given /3/, table(2) /1.5/
end block data
module m
  integer :: n = 4
  integer :: set_by_read, set_by_call, loop, zero
  real :: all(5), some(6), filled(3, 3)
  character(len=8) :: text
  integer, target :: pointed
  integer :: in_group, status
  namelist /group/ in_group
contains
  subroutine give(k)
    integer, intent(out) :: k
    k = 5
  end subroutine
end module
subroutine other_layout
  integer :: whole(7)
  common /views/ whole
  whole = 2
end subroutine
subroutine equivalent
  real :: x(4), y(4)
  common /eq/ x
  equivalence (x(1), y(1))
  y = 3
end subroutine
program right
  use m
  integer :: given, free, i
  real :: table(4)
  common /c/ given, free, table
  integer :: low(3), high(4)
  common /views/ low, high
  real :: x(4)
  common /eq/ x
  integer, pointer :: p
  character(len=40) :: line
  free = given
  table(1) = 1
  print *, free, table(2)
  call other_layout
  print *, low(1), high(4)
  call equivalent
  print *, x(2)
  line = ' 7'
  read (line, *) set_by_read
  call give(set_by_call)
  print *, n, set_by_read, set_by_call
  do loop = 1, 5
    all(loop) = loop
  end do
  print *, loop, sum(all)
  some(2:3) = 1
  print *, some(3)
  some = 2
  print *, sum(some)
  do i = 1, 3
    do loop = 1, 3
      filled(loop, i) = i
    end do
  end do
  print *, filled(2, 2), sum(filled)
  text = 'abc'
  text(4:8) = 'defgh'
  print *, text
  p => pointed
  p = 6
  print *, pointed
  line = '&group in_group = 9 /'
  read (line, group)
  print *, in_group
  read (line, *, iostat=status) zero
  print *, status /= 0
end program
