! Livermore 15, casual Fortran with many conditionals
! check 1.113807799041646E+03
module kernel
  use support
  implicit none
  integer, parameter :: ng = 7, nz = 101
  real(8) :: vy(nz, ng), vh(nz, ng), vf(nz, ng), vg(nz, ng), vs(nz, ng)
contains
  subroutine setup()
    call fill(vh, nz * ng)
    call fill(vf, nz * ng)
    call fill(vg, nz * ng)
  end subroutine

  subroutine run()
    integer :: j, k
    real(8) :: r, s, t
    do j = 2, ng
      do k = 2, nz
        if (j >= ng) then
          vy(k, j) = 0
          cycle
        end if
        if (vh(k, j + 1) > vh(k, j)) then
          t = 0.053d0
        else
          t = 0.073d0
        end if
        if (vf(k, j) < vf(k - 1, j)) then
          r = max(vh(k - 1, j), vh(k - 1, j + 1))
          s = vf(k - 1, j)
        else
          r = max(vh(k, j), vh(k, j + 1))
          s = vf(k, j)
        end if
        vy(k, j) = sqrt(vg(k, j) ** 2 + r * r) * t / s
        if (k >= nz) then
          vs(k, j) = 0
          cycle
        end if
        if (vf(k, j) < vf(k, j - 1)) then
          r = max(vg(k, j - 1), vg(k + 1, j - 1))
          s = vf(k, j - 1)
          t = 0.053d0
        else
          r = max(vg(k, j), vg(k + 1, j))
          s = vf(k, j)
          t = 0.073d0
        end if
        vs(k, j) = sqrt(vh(k, j) ** 2 + r * r) * t / s
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(vy, nz * ng) + total(vs, nz * ng)
  end function
end module
