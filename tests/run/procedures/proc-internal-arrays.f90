! Internal procedures on host arrays: adjustable, allocatable and character.
program proc_internal_arrays
  implicit none
  integer, allocatable :: a(:)
  character(len=6) :: name
  integer :: m(2, 3), n
  n = 4
  name = 'start'
  call make
  call each(a, n)
  m = 1
  call rows(m)
  print *, a, m, name
contains
  subroutine make
    integer :: i
    allocate (a(n))
    do i = 1, n
      a(i) = n - i
    end do
    name(2:3) = 'TA'
  end subroutine make
  subroutine each(v, k)
    integer, intent(in) :: k
    integer, intent(inout) :: v(k)
    integer :: i
    do i = 1, k
      v(i) = v(i) * size(m)
    end do
    n = 0
  end subroutine each
  subroutine rows(x)
    integer, intent(inout) :: x(2, *)
    x(2, 1:3) = (/ 7, 8, 9 /)
    name = name(4:5) // name
  end subroutine rows
end program
! aliases: a variable of the host is passed to a procedure that changes it.
