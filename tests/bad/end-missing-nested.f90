! Two constructs are left open at the end of a procedure; the next one is fine.
subroutine first
  implicit none
  integer :: i
  do i = 1, 3
    select case (i)
    case (1)
      print *, i
end subroutine
program end_missing_nested
  implicit none
  call first
end program
