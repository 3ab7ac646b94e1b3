! Internal procedures of a subroutine use its arguments and automatic arrays.
program proc_internal_in_sub
  implicit none
  call outer(3, 2.0d0)
  call outer(5, 0.5d0)
end program
subroutine outer(n, x)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x
  double precision :: work(n)
  integer :: i
  do i = 1, n
    call fill
  end do
  print *, n, work
  print *, total()
contains
  subroutine fill
    work(i) = x * i
    if (i > 1) work(i) = work(i) + work(i - 1)
  end subroutine fill
  double precision function total()
    integer :: i
    total = 0.0d0
    do i = 1, n
      total = total + work(i)
    end do
  end function total
end subroutine outer
