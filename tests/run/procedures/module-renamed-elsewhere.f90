! A name that one USE renames is not visible as it is by another USE of the module.
module first
  implicit none
  integer :: x = 1, y = 2, z = 3
contains
  integer function f()
    f = 10
  end function f
end module first

program main
  call one()
  call two()
contains
  subroutine one()
    use first
    use first, only: renamed => x
    x = 5
    print *, renamed, int(x), y, z, f()
  end subroutine one

  subroutine two()
    use first, a => y
    use first, b => z, only_f => f
    use first, only: x => x
    y = 7
    print *, x, a, b, int(y), only_f()
  end subroutine two
end program main
