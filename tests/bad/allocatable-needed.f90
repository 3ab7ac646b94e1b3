program p
  real :: a(3)
  call s(a)
contains
  subroutine s(q)
    real, allocatable :: q(:)
    allocate (q(3))
  end subroutine
end program
