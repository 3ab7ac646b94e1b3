module m
  implicit none
  type t
    integer :: k
  end type
contains
  subroutine f(s, c)
    character(len=*), intent(out) :: s
    class(t), intent(in) :: c
    write (s, *) c%k
  end subroutine
end module
