! told at 14:16, where i = 2: Variable 'a' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  call s(4)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(n)
    integer :: i
    do i = 1, n
      if (i /= 2) a(i) = 1
    end do
    do i = 1, n
      print *, a(i)
    end do
  end subroutine
end program
