! told at 5:16: Dangling pointer 'p': its target was deallocated at dangling_at_return.f90:7
program fault
  real, pointer :: p(:)
  call s
  print *, sum(p)
contains
  subroutine s
    real, allocatable, target :: a(:)
    allocate (a(3))
    a = 1
    p => a
  end subroutine
end program
