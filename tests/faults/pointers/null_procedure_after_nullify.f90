! told at 7:8: Procedure pointer 'p' is not associated
program fault
  procedure(s), pointer :: p
  p => s
  call p
  nullify (p)
  call p
contains
    subroutine s
      print *, 'here'
    end subroutine
end program
