! told at 17:12: Dangling pointer 'window': its target was deallocated
module store
  real, pointer :: window(:) => null()
contains
  subroutine look_at(x)
    real, target, intent(in) :: x(:)
    window => x
  end subroutine
end module
program fault
  use store
  real, allocatable, target :: a(:)
  allocate (a(5))
  a = 1
  call look_at(a)
  deallocate (a)
  print *, window(2)
end program
