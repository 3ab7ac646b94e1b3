! Internal procedures and module procedures of one name.
module m
  implicit none
  integer :: f
contains
  subroutine f
  end subroutine f
  subroutine g
  end subroutine g
  subroutine g
  end subroutine g
end module m
program duplicate_internal
  implicit none
contains
  subroutine h
  end subroutine h
  integer function h()
    h = 1
  end function h
end program
