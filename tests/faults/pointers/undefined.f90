! told at 9:16: Pointer 'p' is not associated
program fault
  call s
contains
    subroutine s
      integer, pointer :: p(:)
      integer :: k
      k = 2
      print *, p(k)
    end subroutine
end program
