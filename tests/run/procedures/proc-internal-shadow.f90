! Local names of an internal procedure hide those of the host.
program proc_internal_shadow
  implicit none
  integer :: i, n
  integer :: a(3)
  n = 10
  a = 5
  do i = 1, 3
    call inner(a(i))
  end do
  print *, i, n, a
contains
  subroutine inner(x)
    integer, intent(inout) :: x
    integer :: i, n
    n = 0
    do i = 1, 4
      n = n + i
    end do
    x = x + n
    call deeper
  end subroutine inner
  subroutine deeper
    integer :: a
    a = n
    n = a + 1
  end subroutine deeper
end program
