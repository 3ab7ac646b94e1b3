! told at 9:15: Memory of pointer 'p' is never deallocated: 40 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  call s
  stop
contains
  subroutine s
    real, pointer :: p(:)
    allocate (p(10))
    p = 2
    print *, p
  end subroutine
end program
