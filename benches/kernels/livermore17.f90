! Livermore 17, implicit conditional computation
! check 1.449996575643201E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 101
  real(8) :: vsp(n), vstp(n), vxne(n), vxnd(n), ve3(n), vlr(n), vlin(n)
contains
  subroutine setup()
    call fill(vsp, n)
    call fill(vstp, n)
    call fill(vlr, n)
    call fill(vlin, n)
    vsp = vsp * 0.3d0
    vstp = vstp * 0.2d0
    vxne = 0
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: scale, xnm, e6, e3, xnei, xnc
    scale = 5d0 / 3d0
    xnm = 1d0 / 3d0
    e6 = 1.03d0 / 3.07d0
    do i = n, 2, -1
      e3 = xnm * vlr(i) + vlin(i)
      xnei = vxne(i)
      vxnd(i) = e6
      xnc = scale * e3
      if (xnm > xnc .or. xnei > xnc) then
        vxne(i) = e3 + e3 - xnm
        xnm = e3 + e3 - xnm
        ve3(i) = e3
        e6 = e3
      else
        ve3(i) = e3
        e6 = e3 + e3 - xnm
        vxne(i) = e6 * vsp(i)
        xnm = e6 * vsp(i) + vstp(i)
      end if
    end do
  end subroutine

  real(8) function check()
    check = total(ve3, n) + total(vxnd, n)
  end function
end module
