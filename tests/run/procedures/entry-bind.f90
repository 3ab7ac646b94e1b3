! An entry has a BIND(C) of its own, or none.
module entries
  use iso_c_binding
  implicit none
contains
  subroutine first(n) bind(c, name='entry_bind_first')
    integer(c_int), intent(in) :: n
    real(c_float), intent(in) :: x
    print *, 'first', n
    return
  entry plain(x)
    print *, 'plain', x
  end subroutine
  subroutine second(n)
    integer(c_int), intent(in) :: n
    real(c_float), intent(in) :: x
    print *, 'second', n
    return
  entry seen(x) bind(c, name='entry_bind_seen')
    print *, 'seen', x
  end subroutine
end module

program entry_bind
  use entries
  implicit none
  interface
    subroutine by_label(x) bind(c, name='entry_bind_seen')
      use iso_c_binding
      real(c_float), intent(in) :: x
    end subroutine
    subroutine by_other(n) bind(c, name='entry_bind_first')
      use iso_c_binding
      integer(c_int), intent(in) :: n
    end subroutine
  end interface
  call first(1)
  call plain(1.5)
  call second(2)
  call seen(2.5)
  call by_label(3.5)
  call by_other(3)
end program
