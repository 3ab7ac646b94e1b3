! Names that are the unit's own.
module first
  integer :: a, other
  interface
    subroutine x(k)
      integer :: k
    end subroutine
  end interface
end module
module second
contains
  subroutine second
  end subroutine
end module
subroutine a
  use first
end subroutine
subroutine x(k)
  use first, only: other
  integer :: k
end subroutine
subroutine y
  use first, y => other
end subroutine
integer function z()
  use first, only: z => a
  z = 1
end function
subroutine s
contains
  subroutine s
  end subroutine
end subroutine
program p
contains
  subroutine p
  end subroutine
end program
