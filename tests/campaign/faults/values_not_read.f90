! --passes=values at l
module m
contains
  subroutine show(n, k)
    implicit none
    integer, intent(in) :: n
    integer, intent(in), optional :: k
    if (n > 5) then
      print *, n
    else
      print *, k
    end if
  end subroutine
end module
subroutine k1()
  use m
  implicit none
  integer :: n1
  common /opaque/ n1
  call show(n1)
  call show(n1 - 2, n1)
end subroutine
