! Two things with one linker symbol.
module names
  use iso_c_binding
  implicit none
  integer(c_int), bind(c, name='counter') :: n
  integer(c_int), bind(c, name='twice') :: m
  integer(c_int), bind(c, name='declared') :: k
contains
  subroutine count() bind(c, name='counter')
    n = n + 1
  end subroutine
  subroutine a() bind(c, name='printed')
  end subroutine
  subroutine b() bind(c, name='printed')
  entry c() bind(c, name='twice')
  entry d()
  end subroutine
end module

subroutine uses
  common /block/ x
  call block(x)
end subroutine

program main
  use names
  interface
    subroutine declared() bind(c)
    end subroutine
  end interface
  call declared()
end program
