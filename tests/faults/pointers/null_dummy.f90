! told at 8:7: Pointer 'p' is not associated
program fault
  real, pointer :: q => null()
  call s(q)
contains
    subroutine s(p)
      real, pointer, intent(in) :: p
      p = 1
    end subroutine
end program
