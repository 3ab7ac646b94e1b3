! Heap sort
! check 4.580435405582190E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), a0(n)
contains
  subroutine setup()
    call fill(a0, n)
  end subroutine

  subroutine run()
    a = a0
    call heap(a, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine heap(a, n)
    integer :: n, i, j, l, ir
    real(8) :: a(n), t
    l = n / 2 + 1
    ir = n
  10 continue
    if (l > 1) then
      l = l - 1
      t = a(l)
    else
      t = a(ir)
      a(ir) = a(1)
      ir = ir - 1
      if (ir == 1) then
        a(1) = t
        return
      end if
    end if
    i = l
    j = l + l
  20 if (j <= ir) then
      if (j < ir) then
        if (a(j) < a(j + 1)) j = j + 1
      end if
      if (t < a(j)) then
        a(i) = a(j)
        i = j
        j = j + j
      else
        j = ir + 1
      end if
      goto 20
    end if
    a(i) = t
    goto 10
  end subroutine
end module
