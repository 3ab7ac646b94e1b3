! Initial values in type declarations; they imply SAVE, constants do not.
program init_declaration
  implicit none
  integer :: i
  integer :: v(3) = (/ 1, 2, 3 /), w(4) = 9
  character(len=5) :: s = 'ab', t*2 = 'xyz'
  real :: x = 3, y = 1.5e1
  logical :: l = .true.
  print *, v, w
  print *, s, '|', t, '|', x, y, l
  do i = 1, 3
    call once
  end do
contains
  subroutine once
    integer :: n = 10
    integer :: m
    m = 1
    n = n + m
    m = m + n
    print *, n, m
  end subroutine once
end program
