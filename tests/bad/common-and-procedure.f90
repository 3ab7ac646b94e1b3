! One name for a COMMON block and a procedure.
program common_and_procedure
  implicit none
  integer :: i
  common /s/ i
  i = 1
  call s
contains
  subroutine t
  end subroutine t
end program
subroutine s
end subroutine
