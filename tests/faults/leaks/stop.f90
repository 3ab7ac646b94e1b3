! told at 8:15: Memory of pointer 'p' is never deallocated: 4 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  call s
contains
  subroutine s
    real, pointer :: p
    allocate (p)
    p = 2
    if (p > 1) stop
    deallocate (p)
  end subroutine
end program
