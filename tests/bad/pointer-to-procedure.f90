! Procedures, and components of what is no structure, where there should be data.
module m
  real, pointer :: q
contains
  real function g(z)
    target g
    q => g
    g = z
  end function
  subroutine s(r)
    character(:), allocatable :: r(:)
    q => g
    q => s
    q => sin
    allocate (r%a(3))
  end subroutine
end module
end
