"""The broker's certificate, and the authority of this grid alone that vouches for it."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tengen.grid.secret_file import write_secret

_YEARS = 10


def make_certificates(folder: Path, hosts: Sequence[str]) -> None:
    """Makes `ca.pem`, `server.pem` and their keys where they are missing, or if the server has got other names.

    Raises:
        OSError: if a file cannot be read or written.
    """
    authority, authority_key = folder / "ca.pem", folder / "ca-key.pem"
    if not (authority.exists() and authority_key.exists()):
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("Tengen grid authority")
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = _builder(name, name, key).add_extension(x509.BasicConstraints(True, 0), critical=True)
        _write(authority, authority_key, key, builder.add_extension(usage, critical=True).sign(key, hashes.SHA256()))
    certificate = folder / "server.pem"
    if certificate.exists() and sorted(_hosts(certificate)) == sorted(hosts):
        return
    issuer = x509.load_pem_x509_certificate(authority.read_bytes())
    issuer_key = serialization.load_pem_private_key(authority_key.read_bytes(), None)
    assert isinstance(issuer_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    builder = (
        _builder(_name("Tengen grid broker"), issuer.subject, key)
        .add_extension(x509.BasicConstraints(False, None), critical=True)
        .add_extension(x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
    )
    _write(certificate, folder / "server-key.pem", key, builder.sign(issuer_key, hashes.SHA256()))


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # clocks differ
        .not_valid_after(now + datetime.timedelta(days=365 * _YEARS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _hosts(certificate: Path) -> list[str]:
    names = x509.load_pem_x509_certificate(certificate.read_bytes()).extensions
    found = names.get_extension_for_class(x509.SubjectAlternativeName).value
    return [*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))]


def _write(path: Path, key_path: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_secret(key_path, secret.decode())
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
