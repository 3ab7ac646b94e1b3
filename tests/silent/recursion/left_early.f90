! A procedure that is left by RETURN in the middle may be called again.
program right
  integer :: i
  do i = -1, 2
    call s(i)
  end do
contains
  subroutine s(n)
    integer, intent(in) :: n
    if (n < 0) return
    select case (n)
    case (0)
      return
    case default
      print *, n
    end select
  end subroutine
end program
