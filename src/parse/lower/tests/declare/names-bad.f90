! Names: undeclared once each, with advice; ambiguous imports; private names; what is no variable.
module one
  implicit none
  integer :: shared
  integer, private :: secret
end module one
module two
  implicit none
  real :: shared
end module two
program names_bad
  use one
  use two, only: shared, secert
  use one, only: secret
  implicit none
  integer :: total, one
  totla = 1
  totla = total + totla
  total = shared
  total = fun(3)
  call undeclared_subroutine(total)
  total = maxvla([1, 2])
contains
  subroutine s(total)
    integer :: total
    total = ttal
  end subroutine s
end program names_bad
