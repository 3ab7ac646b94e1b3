! told at 9:16: Pointer 'p' is not associated
program fault
  integer, pointer :: p
  nullify (p)
  call s(p)
contains
    subroutine s(p)
      integer, pointer :: p
      print *, p
    end subroutine
end program
