! told at 8:16: Pointer 'p' is not associated
program fault
  call s
contains
    subroutine s
      integer, pointer :: p
      integer, target :: t
      print *, p
    end subroutine
end program
