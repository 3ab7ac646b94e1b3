program right
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
