! statement order, nested procedures with same names, shadowing, host association
module outer_mod
  implicit none
  integer :: level = 1
contains
  subroutine work(n)
    integer, intent(in) :: n
    integer :: level
    level = n
    call inner
    print *, level
  contains
    subroutine inner
      integer :: i
      do i = 1, 2
        level = level + i
      end do
    end subroutine
  end subroutine
  subroutine inner
    level = level*100
  end subroutine
end module
program p
  use outer_mod, lvl => level
  implicit none
  call work(5)
  call inner
  print *, lvl
end program
