subroutine a
  do i = 1, 3
    if (i == 1) then
      x = 1
  end do
  else
  end if
  outer: do
  end do inner
  do
    select case (i)
      x = 2
    case (1)
    case (2)
  end select
end subroutine b
subroutine c
  if (x) then
  else
  else if (y) then
  else
  end if
  where (m)
    print *, 1
  end where
  forall (i = 1:3)
    call s
  end forall
subroutine d
end function
module m
  x = 1
  integer :: late
contains
  x = 2
  subroutine inner
    contains
    subroutine innermost
    contains
    end subroutine
  end subroutine
end module
interface
  x = 3
end interface
end
type t
  x = 4
  contains
  procedure :: bound
end type
block
  x = 5
